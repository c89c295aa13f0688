; inherits: cpp
; Its grammar extends that one.
