; Bicep: definitions only.
(parameter_declaration . (identifier) @name) @definition.variable
(resource_declaration . (identifier) @name) @definition.struct
(module_declaration . (identifier) @name) @definition.module
(variable_declaration . (identifier) @name) @definition.variable
(output_declaration . (identifier) @name) @definition.variable
(comment) @comment
