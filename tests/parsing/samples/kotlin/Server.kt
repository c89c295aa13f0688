@file:JvmName("Servers")

package com.acme.net

import com.acme.util.Log
import com.acme.util.Text as T
import kotlinx.coroutines.*

const val MAX_BODY = 65536
val defaultName: String = "x"
private var counter = 0
typealias Handler = (Request) -> Response

/** Serves. */
@Service("main")
class Server<T : Any>(
  private val config: Config,
  val name: String = "x",
  port: Int,
) : BaseServer(config), Closeable, Lookup by DelegateLookup() {
  private val handlers: MutableList<Handler> = mutableListOf()
  lateinit var state: State

  val size: Int
    get() = handlers.count()

  init {
    setup(port)
  }

  // Secondary.
  constructor(port: Int) : this(Config.default(), "y", port)

  @Throws(IOException::class)
  override suspend fun run(request: Request): Response? {
    val reply = handle(request) ?: throw BadRequest("no")
    handlers.forEach { it.invoke(request) }
    this.log<Int>(reply as Response)
    state?.next()?.close()
    if (reply is Special) return Acme.Util.render(reply)
    request.map(::transform).map(String::trim)
    fun local(x: Int) = square(x)
    return object : Response(), Jsonable {
      override fun toJson() = encode(this)
    }
  }

  operator fun plus(other: Server<T>): Server<T> = this

  companion object {
    const val LIMIT = 3

    @JvmStatic
    fun create(): Server<Any> = Server(1)
  }

  inner class Inner

  enum class State(val code: Int) : Coded {
    IDLE(0),
    BUSY(1) {
      override fun label() = "busy"
    };

    open fun label() = name.lowercase()
  }
}

interface Lookup {
  val key: String
  fun find(id: Id): Item
}

object Registry : Lookup {
  override val key = "k"
  fun register(item: Item) = Unit
}

data class Point(val x: Int, val y: Int)

sealed interface Shape

annotation class Service(val name: String)

fun interface Predicate {
  fun test(x: Int): Boolean
}

/** Extends strings. */
fun String.shout(): String = uppercase() + "!"

val List<Point>.total: Int get() = sumOf { it.x }

fun <T> Map<String, T>.pick(key: String): T? where T : Any = get(key)

infix fun Int.times2(other: Int) = this * other

fun main(args: Array<String>) {
  Registry.register(Item())
}
