; Haskell: definitions only.
(header module: (module) @name) @definition.module
(data_type name: (_) @name) @definition.type
(newtype name: (_) @name) @definition.type
(type_synomym name: (_) @name) @definition.type
(class name: (_) @name) @definition.trait
(instance name: (_) @name) @scope.type
(declarations (signature name: (_) @name) @definition.function)
(declarations (function name: (_) @name) @definition.function)
(declarations (bind name: (_) @name) @definition.variable)
(class_declarations (signature name: (_) @name) @definition.method)
(instance_declarations (function name: (_) @name) @definition.method)
(instance_declarations (bind name: (_) @name) @definition.method)
[(comment) (haddock)] @comment
