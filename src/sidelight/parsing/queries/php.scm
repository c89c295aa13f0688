; PHP. Types qualify their members; namespaces do not (they are imports of kind `package`).

; --- definitions; attributes are children of the declaration
(class_declaration name: (name) @name body: (_) @body) @definition.class
(interface_declaration name: (name) @name body: (_) @body) @definition.interface
(trait_declaration name: (name) @name body: (_) @body) @definition.trait
(enum_declaration name: (name) @name body: (_) @body) @definition.enum
(enum_case name: (name) @name) @definition.constant
(method_declaration name: (name) @name body: (_)? @body) @definition.method
(function_definition name: (name) @name body: (_) @body) @definition.function
(const_declaration (const_element . (name) @name)) @definition.constant
(property_declaration (property_element name: (variable_name (name) @name))) @definition.field
; no body: what a promoted parameter holds is its default
(property_promotion_parameter name: (variable_name (name) @name)) @definition.field
(function_call_expression function: (name) @_define
  arguments: (arguments . (argument (string (string_content) @name)))
  (#eq? @_define "define")) @definition.constant

(comment) @comment

; --- references: names, qualified or not, are read by `rules/php.py`
[
  (attribute) (base_clause) (class_interface_clause) (use_declaration)
  (function_call_expression) (object_creation_expression)
  (named_type) (class_constant_access_expression)
] @reference
(binary_expression operator: "instanceof" right: [(name) (qualified_name)]) @reference
(member_call_expression object: (_) @receiver name: (name) @name) @reference.call
(nullsafe_member_call_expression object: (_) @receiver name: (name) @name) @reference.call
(scoped_call_expression scope: (_) @receiver name: (name) @name) @reference.call

; --- imports
(namespace_definition name: (namespace_name) @module @import.package)
[
  (namespace_use_declaration)
  (include_expression) (include_once_expression) (require_expression) (require_once_expression)
] @import
