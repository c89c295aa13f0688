; GDScript: definitions only.
(class_name_statement name: (name) @name) @definition.class
(class_definition name: (name) @name body: (_) @body) @definition.class
(function_definition name: (name) @name body: (_) @body) @definition.function
(enum_definition name: (name) @name) @definition.enum
(enumerator left: (identifier) @name) @definition.constant
(source (variable_statement name: (name) @name) @definition.variable)
(class_body (variable_statement name: (name) @name) @definition.field)
(const_statement name: (name) @name) @definition.constant
(signal_statement name: (name) @name) @definition.field
(comment) @comment
