; Jsonnet: definitions only.
(bind function: (id) @name) @definition.function
(field function: (fieldname (id) @name)) @definition.method
(comment) @comment
