; Cairo: definitions only.
(function_definition (identifier) @name) @definition.function
(function_signature (identifier) @name) @definition.function
(struct_item name: (_) @name body: (_) @body) @definition.struct
(trait_item name: (_) @name body: (_) @body) @definition.trait
(field_declaration name: (_) @name) @definition.field
(comment) @comment
