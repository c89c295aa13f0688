package com.acme.net;

import static com.acme.util.Checks.*;
import static com.acme.util.Checks.require;

import com.acme.util.Log;
import java.io.*;
import java.util.List;
import java.util.Map.Entry;

/**
 * A server that answers.
 */
@Service(name = "main")
@Deprecated
public class Server<T extends Handler> extends BaseServer<T> implements Closeable, Runnable {
  public static final int MAX_BODY = 1 << 16;
  private final List<T> handlers = new ArrayList<>();
  int a, b;

  static {
    Log.setup();
  }

  // Starts nothing yet.
  public Server(Config config) {
    super(config);
    this.handlers.add(new com.acme.net.Handler(config));
  }

  Server() {
    this(null);
  }

  /** Runs until stopped. */
  @Override
  public void run() throws IOException {
    for (T handler : handlers) {
      handler.handle(this.next());
    }
    Runnable r = () -> stop(1);
    handlers.forEach(Server::close);
    require(r instanceof Closeable);
    Object o = (Entry<String, Long>) lookup(Server.class);
  }

  @Nullable
  static <K> K lookup(Class<K> type) {
    return new Callback<K>() {
      public K get() {
        return fallback();
      }
    }.get();
  }

  enum State {
    IDLE,
    /** Busy. */
    BUSY(2) {
      int code() {
        return 2;
      }
    };

    private final int code;

    State(int code) {
      this.code = code;
    }

    State next() {
      return values()[0];
    }
  }

  interface Listener extends EventListener {
    int LIMIT = 3;

    void onEvent(Event event);

    default void quiet() {}
  }

  record Point(int x, Integer y) implements Shape {
    Point {
      check(x);
    }

    double norm() {
      return Math.sqrt(x * x + y());
    }
  }

  @interface Service {
    String name() default "";
  }
}
