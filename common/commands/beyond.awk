# beyond.awk -v number=N [-v least=N] : arguments, with a number in place of what stands for it:
# M is the number itself; N is 2 more, or what it must be at least; and 32*N is a product.

function value(factor) {
    if (factor == "N")
        return number + 2 < least ? least + 0 : number + 2
    return factor == "M" ? number : factor
}

{
    for (i = 1; i <= NF; i++)
        if ($i ~ /^([0-9]+[*])*[MN]([*][MN])?$/) {
            factors = split($i, factor, "*")
            product = 1
            for (f = 1; f <= factors; f++)
                product *= value(factor[f])
            $i = sprintf("%.0f", product)
        }
    print
}
