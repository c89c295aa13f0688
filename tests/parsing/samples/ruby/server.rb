# frozen_string_literal: true

require 'json'
require "set"
require_relative 'lib/handler'
load 'tasks.rb'
autoload :Config, 'acme/config'

module Acme
  VERSION = '1.0'

  # Serves things.
  class Server < Base::Core
    include Enumerable
    extend Helpers, Forwardable
    prepend Tracing
    attr_accessor :name, :port
    attr_reader :state

    MAX = 10
    Point = Struct.new(:x, :y) do
      def norm
        Math.sqrt(x)
      end
    end

    # Builds it.
    def initialize(name, port = DEFAULT)
      super(name)
      @name = name
    end

    # Class method.
    def self.create(*args)
      new(*args).tap { |s| s.start }
    end

    class << self
      def build
        create
      end
    end

    def each(&block)
      handlers.each(&block)
      self.log "x"
      Acme::Handler.new.call(env)
      raise ArgumentError, 'bad' unless valid?
    end

    def ==(other)
      other.is_a?(Server)
    end

    def name=(value)
      @name = value
    end

    alias run each
    alias_method :go, :run

    private

    def valid?
      name && ready!
    end

    define_method(:dynamic) do |x|
      compute(x)
    end

    private def secret = hidden_value()
  end

  module Nested::Deep
    def deep; end
  end

  class Failure < StandardError; end
  Oops = Class.new(Failure)
end

def top_level
  puts Acme::VERSION
  helper
  obj&.safe_call
end
