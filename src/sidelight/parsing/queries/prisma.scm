; Prisma: definitions only.
(model_block . (identifier) @name) @definition.struct
(enum_block . (identifier) @name) @definition.enum
(model_field field_name: (_) @name) @definition.field
(comment) @comment
