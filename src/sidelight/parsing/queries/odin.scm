; Odin: definitions only.
(struct_declaration . (identifier) @name) @definition.struct
(enum_declaration . (identifier) @name) @definition.enum
(union_declaration . (identifier) @name) @definition.struct
(procedure_declaration . (identifier) @name) @definition.function
(overloaded_procedure_declaration . (identifier) @name) @definition.function
(const_declaration . (identifier) @name) @definition.constant
[(comment) (block_comment)] @comment
