add_each_int:
       LDC R1, c[0x0][0x28]
       S2R R3, SR_TID.X
       LDC R0, c[0x0][0x4c]
       ULDC UR4, c[0x0][0x0]
       S2R R5, SR_CTAID.X
       SHF.R.S32.HI R7, RZ, 0x1f, R3
       IADD3 R2, P0, R0, R3, RZ
       LEA.HI.X.SX32 R3, R0, R7, 0x1, P0
       IMAD.WIDE R2, R5, UR4, R2
       ULDC UR4, c[0x0][0x220]
       ISETP.GE.U32.AND P0, PT, R2, UR4, PT
   @P0 EXIT
       IMAD.SHL.U32 R4, R2.reuse, 0x4, RZ
       SHF.L.U64.HI R0, R2, 0x2, R3
       ULDC.64 UR4, c[0x0][0x210]
       ULDC.64 UR6, c[0x0][0x208]
       LOP3.LUT R4, R4, 0xfffffffc, RZ, 0xc0, !PT
       LOP3.LUT R0, R0, 0x3, RZ, 0xc0, !PT
       IADD3 R4, P0, R4, UR4, RZ
       IADD3.X R5, R0, UR5, RZ, P0, !PT
       LDG.E R4, desc[UR6][R4.64]
       LDC.64 R2, c[0x0][0x218]
       VOTEU.ANY UR4, UPT, PT
       S2R R0, SR_LANEID
       UFLO.U32 UR4, UR4
       ISETP.EQ.U32.AND P0, PT, R0, UR4, PT
       REDUX.SUM UR5, R4
       IMAD.U32 R7, RZ, RZ, UR5
   @P0 REDG.E.ADD.STRONG.GPU desc[UR6][R2.64], R7
       EXIT
       BRA 0x1e0
       NOP
       NOP
       NOP
       NOP
       NOP
       NOP
       NOP
       NOP
       NOP
