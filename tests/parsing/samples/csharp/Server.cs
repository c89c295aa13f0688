using System;
using System.Collections.Generic;
using static System.Math;
using Json = Newtonsoft.Json.JsonConvert;
global using Acme.Core;

namespace Acme.Net
{
    /// <summary>Serves.</summary>
    [Serializable]
    [Route("api/[controller]"), Obsolete]
    public class Server<T> : BaseServer, IDisposable where T : IHandler, new()
    {
        public const int MaxBody = 65536;
        private readonly List<T> _handlers = new List<T>();
        public event EventHandler<StopArgs> Stopped;
        public string Name { get; set; } = "x";
        public int Count => _handlers.Count;

        // Builds it.
        public Server(Config config) : base(config)
        {
            Name = nameof(config);
        }

        ~Server() { Dispose(); }

        public T this[int index] => _handlers[index];

        [HttpGet]
        public async Task<Reply> Run(Request request, CancellationToken token = default)
        {
            var reply = await Handle(request).ConfigureAwait(false);
            this.Log<int>(reply as Reply, typeof(Server<T>));
            _handlers?.Find(h => h.Ready());
            Sys.IO.File.Open("x");
            T[] all = (T[])Array.Empty<T>();
            if (request is Special s) throw new Acme.Errors.Bad("no");
            Stopped += OnStopped;
            int Local(int x) => Abs(x);
            return new Reply { Code = Local(1) };
        }

        public static Server<T> operator +(Server<T> a, Server<T> b) => a;
        public static explicit operator bool(Server<T> s) => true;

        string IDisposable.Describe() => Name;

        public struct Point { public int X, Y; }
    }

    public enum Color { Red, Green = 2 }

    public interface IHandler : IBase
    {
        int Priority { get; }
        void Handle(Request request);
    }

    public record Person(string Name, Address Home) : Entity;

    public delegate void Changed(object sender, ChangeArgs args);

    public static class Extensions
    {
        public static bool IsEmpty(this Reply reply) => reply.Code == 0;
    }
}
