; OCaml: definitions only.
(module_definition (module_binding (module_name) @name)) @definition.module
(compilation_unit (value_definition (let_binding pattern: (value_name) @name (parameter)))
  @definition.function)
(structure (value_definition (let_binding pattern: (value_name) @name (parameter)))
  @definition.function)
(compilation_unit (value_definition (let_binding pattern: (value_name) @name
  body: [(function_expression) (fun_expression)])) @definition.function)
(compilation_unit (value_definition (let_binding pattern: (value_name) @name))
  @definition.variable)
(structure (value_definition (let_binding pattern: (value_name) @name)) @definition.variable)
(type_definition (type_binding name: (_) @name)) @definition.type
(module_type_definition (module_type_name) @name) @definition.interface
(class_binding (class_name) @name) @definition.class
(method_definition (method_name) @name) @definition.method
(exception_definition (constructor_declaration (constructor_name) @name)) @definition.type
(external (value_name) @name) @definition.function
(value_specification (value_name) @name) @definition.function
(comment) @comment
