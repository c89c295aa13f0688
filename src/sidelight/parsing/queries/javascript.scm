; inherits: ecmascript jsx
; JavaScript, and what Flow-free JSX adds.
(field_definition property: (_) @name 
  value: (_ body: (_) @body)) @definition.method
(field_definition property: (_) @name) @definition.field
(class_heritage (identifier) @reference.base)
(class_heritage (member_expression object: (_) @receiver property: (_) @name)) @reference.base
