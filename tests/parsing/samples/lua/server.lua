local json = require("json")
local util = require "acme.util"
local trim = require('acme.text').trim
require 'acme.boot'
dofile("setup.lua")

local M = {}
local MAX = 10
M.version = "1.0"
counter = 0

--- Serves.
-- Twice.
local Server = {}
Server.__index = Server

-- Builds it.
function Server.new(name)
  local self = setmetatable({}, Server)
  self.name = util.trim(name)
  return self
end

function Server:run(request)
  self:handle(request):send()
  M.log.write("x")
  local function inner(x)
    return square(x)
  end
  return inner(json.decode(request))
end

local function helper(x)
  return tostring(x)
end

M.handler = function(x)
  return helper(x)
end

local lambda = function() return M.handler(1) end

function M.deep.nested.call() end

function global_fn(...)
  print "hello"
  Server:run{}
end

local config = {
  on_start = function(s) s:run() end,
  ["key"] = function() end,
  port = 80,
}

M["dyn"] = function() end

return M
