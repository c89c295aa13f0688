; Common Lisp: definitions only.
(defun (defun_header keyword: (_) @_keyword function_name: (_) @name)
  (#any-of? @_keyword "defmacro")) @definition.macro
(defun (defun_header function_name: (_) @name)) @definition.function
(list_lit . (sym_lit) @_keyword . (sym_lit) @name
  (#any-of? @_keyword "defclass" "defstruct" "define-condition")) @definition.class
(list_lit . (sym_lit) @_keyword . (sym_lit) @name
  (#any-of? @_keyword "defvar" "defparameter" "defconstant")) @definition.variable
(comment) @comment
