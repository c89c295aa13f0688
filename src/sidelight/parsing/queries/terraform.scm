; Terraform: definitions only.
(body (block . (identifier) (string_lit) . (string_lit (template_literal) @name))
  @definition.struct)
(body (block . (identifier) . (string_lit (template_literal) @name) . (block_start))
  @definition.variable)
(body (block . (identifier) @name . (block_start)) @definition.variable)
(comment) @comment
