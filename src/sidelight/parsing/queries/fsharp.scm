; F#: definitions only.
(named_module name: (long_identifier) @name) @definition.module
(module_defn (identifier) @name) @definition.module
(type_definition (_ (type_name type_name: (identifier) @name))) @definition.type
(function_or_value_defn (function_declaration_left . (identifier) @name
  (argument_patterns))) @definition.function
(function_or_value_defn (value_declaration_left . (_ (long_identifier_or_op
  (identifier) @name)))) @definition.variable
(member_defn (method_or_prop_defn name: (property_or_ident method: (identifier) @name))
) @definition.method
(record_field (identifier) @name) @definition.field
[(line_comment) (block_comment)] @comment
