; Emacs Lisp: definitions only.
(function_definition name: (symbol) @name) @definition.function
(macro_definition name: (symbol) @name) @definition.macro
(special_form ["defvar" "defconst"] . (symbol) @name) @definition.variable
(list . (symbol) @_keyword . (symbol) @name
  (#any-of? @_keyword "defcustom" "defface" "defgroup" "defvar-local")) @definition.variable
(list . (symbol) @_keyword . (symbol) @name
  (#any-of? @_keyword "cl-defun" "define-minor-mode" "define-derived-mode" "ert-deftest"
    "cl-defmethod" "cl-defgeneric")) @definition.function
(list . (symbol) @_keyword . (symbol) @name
  (#any-of? @_keyword "cl-defmacro")) @definition.macro
(comment) @comment
