; Components used in JSX are calls; lower-case names are elements of the page.
(jsx_opening_element name: (identifier) @reference.call (#match? @reference.call "^[A-Z]"))
(jsx_self_closing_element name: (identifier) @reference.call (#match? @reference.call "^[A-Z]"))
(jsx_opening_element name: (member_expression
  object: (_) @receiver property: (_) @name)) @reference.call
(jsx_self_closing_element name: (member_expression
  object: (_) @receiver property: (_) @name)) @reference.call
