; Elixir: definitions only.
(call target: (identifier) @_keyword (arguments . (alias) @name) (do_block) @body
  (#any-of? @_keyword "defmodule" "defprotocol")) @definition.module
(call target: (identifier) @_keyword (arguments . (alias) @name) (do_block) @_body
  (#eq? @_keyword "defimpl")) @scope.namespace
(call target: (identifier) @_keyword (arguments . [
  (identifier) @name
  (call target: (identifier) @name)
  (binary_operator left: (call target: (identifier) @name))
  (binary_operator left: (identifier) @name)
])
  (#any-of? @_keyword "def" "defp" "defdelegate" "defguard" "defguardp" "defn" "defnp")
) @definition.function
(call target: (identifier) @_keyword (arguments . [
  (identifier) @name
  (call target: (identifier) @name)
  (binary_operator left: (call target: (identifier) @name))
])
  (#any-of? @_keyword "defmacro" "defmacrop")) @definition.macro
(comment) @comment
