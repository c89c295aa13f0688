; Racket: definitions only.
(list . (symbol) @_keyword . (list . (symbol) @name)
  (#any-of? @_keyword "define" "define*" "define/contract" "define-public")) @definition.function
(list . (symbol) @_keyword . [(symbol) @name (list . (symbol) @name)]
  (#any-of? @_keyword "define-syntax" "define-syntax-rule" "define-macro")) @definition.macro
(list . (symbol) @_keyword . (symbol) @name
  (#any-of? @_keyword "struct" "define-struct" "define-record-type")) @definition.struct
(program (list . (symbol) @_keyword . (symbol) @name
  (#any-of? @_keyword "define" "define-values" "define-public")) @definition.variable)
(comment) @comment
