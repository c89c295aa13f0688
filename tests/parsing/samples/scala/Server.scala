package com.acme
package net

import com.acme.util.Log
import com.acme.util.{Text => T, Path, Hidden => _, _}
import scala.collection.mutable.*
import com.acme.ops.given
import com.acme.core as c, java.io.File

/** Serves. */
@service("main")
class Server[T <: Item](val config: Config, port: Int = 80)
    extends BaseServer(config)
    with Closeable {
  private val handlers: List[Handler] = Nil
  var state: State = State.Idle
  val (a, b) = pair(1)
  lazy val size: Int = handlers.size
  type Key = Map[String, T]

  // Secondary.
  def this(port: Int) = this(Config.default, port)

  @throws[IOException]
  override def run(request: Request): Option[Response] = {
    val reply = handle(request).value
    handlers.foreach(h => h.call(request))
    this.log[Int](reply.asInstanceOf[Response])
    def local(x: Int) = square(x)
    val made = new Response(local(1)) with Json { def code = 1 }
    reply match {
      case s: Special => Acme.render(s)
      case Response(code) => other map transform
    }
  }

  def +(other: Server[T]): Server[T] = this
}

object Server {
  val Limit = 3
  def apply(): Server[Item] = new Server(1)
  implicit class Ops(val s: String) extends AnyVal {
    def shout: String = s.toUpperCase()
  }
}

trait Lookup extends Base {
  def find(id: Id): Item
  val key: String
}

case class Point(x: Int, y: Int)

sealed abstract class Shape
case object Empty extends Shape

enum Color(val code: Int) extends Coded {
  case Red extends Color(1)
  case Green, Blue
  case Mix(a: Color)

  def label: String = render(this)
}

given ordering: Ordering[Point] = Ordering.by(_.x)

extension (s: String) {
  def loud: String = s.toUpperCase
}

extension [T](xs: List[T])
  def second: T = xs.tail.head

package object helpers {
  def help(): Unit = println("x")
}

@main def start(args: String*): Unit = Server().run(Request())
