; Nix: definitions only.
(binding attrpath: (attrpath) @name expression: (function_expression)) @definition.function
(comment) @comment
