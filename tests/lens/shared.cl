/* A list in shared virtual memory, for shared.c. */
struct node {
    int value, unused;
    global struct node *next;
};

struct head {
    global struct node *first;
};

kernel void add_up(global struct head *heads, uint lists, global int *sums) {
    const int i = get_global_id(0);
    int sum = 0;
    for (global struct node *node = heads[i].first; node; node = node->next)
        sum += node->value;
    sums[i] = sum;
}

kernel void overrun(global struct head *heads, uint lists, global int *sums) {
    sums[get_global_id(0) + 1] = heads[get_global_id(0)].first->value;
}
