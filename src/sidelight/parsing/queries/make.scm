; Make: definitions only.
(rule (targets . (word) @name)) @definition.function
(define_directive name: (word) @name) @definition.macro
(variable_assignment name: (word) @name) @definition.variable
(comment) @comment
