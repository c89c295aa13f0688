; GraphQL: definitions only.
(object_type_definition (name) @name) @definition.struct
(input_object_type_definition (name) @name) @definition.struct
(interface_type_definition (name) @name) @definition.interface
(enum_type_definition (name) @name) @definition.enum
(scalar_type_definition (name) @name) @definition.type
(union_type_definition (name) @name) @definition.type
(directive_definition (name) @name) @definition.function
(operation_definition (name) @name) @definition.function
(fragment_definition (fragment_name) @name) @definition.type
(fields_definition (field_definition . (name) @name) @definition.field)
(comment) @comment
