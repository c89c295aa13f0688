; Ruby. Modules and classes qualify. A call is what the grammar calls one: a bare word without
; arguments may as well be a variable. Calls are read by `rules/ruby.py`, since so much in Ruby is
; one: attributes, mixins, imports, classes that are made.

; --- definitions
(module name: (constant) @name body: (_)? @body) @definition.module
(module name: (scope_resolution scope: (_) @scope name: (_) @name) body: (_)? @body
) @definition.module
(class name: (constant) @name body: (_)? @body) @definition.class
(class name: (scope_resolution scope: (_) @scope name: (_) @name) body: (_)? @body
) @definition.class
(program (method name: (_) @name body: (_)? @body) @definition.function)
(method name: (_) @name body: (_)? @body) @definition.method
(program (singleton_method object: (constant) @scope name: (_) @name body: (_)? @body
) @definition.method)
(singleton_method name: (_) @name body: (_)? @body) @definition.method
(alias name: (_) @name) @definition.method
(assignment) @definition
(call) @definition @reference @import

(comment) @comment

; --- references; types are rescued exceptions, and classes (not CONSTANTS) handed over or matched
(superclass (_) @reference)
(exceptions (constant) @reference.type)
(exceptions (scope_resolution scope: (_) @receiver name: (constant) @name)) @reference.type
(pattern (constant) @reference.type (#match? @reference.type "[a-z]"))
(pattern (scope_resolution scope: (_) @receiver name: (constant) @name)
  (#match? @name "[a-z]")) @reference.type
