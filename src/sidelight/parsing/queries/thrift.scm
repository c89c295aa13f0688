; Thrift: definitions only.
(struct_definition type: (identifier) @name) @definition.struct
(exception_definition (identifier) @name) @definition.struct
(union_definition type: (identifier) @name) @definition.struct
(service_definition type: (identifier) @name) @definition.interface
(function_definition (identifier) @name) @definition.function
(enum_definition type: (identifier) @name) @definition.enum
(comment) @comment
