; inherits: c
; Its grammar extends that one.
