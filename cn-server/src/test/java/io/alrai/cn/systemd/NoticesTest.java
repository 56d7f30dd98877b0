package io.alrai.cn.systemd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.process.Service;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.EpollDomainDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.unix.DomainDatagramPacket;
import io.netty.channel.unix.DomainSocketAddress;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Datagrams as systemd would read them, of this process and of one that serves. */
class NoticesTest {
  private final EventLoopGroup loop =
      new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
  private final LinkedBlockingQueue<String> read = new LinkedBlockingQueue<>();

  @TempDir Path directory;

  @AfterEach
  void end() {
    loop.shutdownGracefully(0, 0, TimeUnit.SECONDS).syncUninterruptibly();
  }

  private void listen(String address) {
    new Bootstrap()
        .group(loop)
        .channel(EpollDomainDatagramChannel.class)
        .handler(
            new SimpleChannelInboundHandler<DomainDatagramPacket>() {
              @Override
              protected void channelRead0(ChannelHandlerContext context, DomainDatagramPacket got) {
                read.add(got.content().toString(StandardCharsets.UTF_8));
              }
            })
        .bind(new DomainSocketAddress(address.replaceFirst("^@", "\0")))
        .syncUninterruptibly();
  }

  private @Nullable String next() throws InterruptedException {
    return read.poll(20, TimeUnit.SECONDS);
  }

  @Test
  void socketsWithAPathAndAbstractOnes() throws InterruptedException {
    for (String address :
        List.of(directory.resolve("a b%é.sock").toString(), "@alrai/" + directory)) {
      listen(address);
      Notices notices = Notices.of(Map.of("NOTIFY_SOCKET", address));
      notices.begins("starts");
      notices.serves("ready é\nREADY=0\tx");
      notices.ends("ends");
      assertEquals("STATUS=starts\n", next());
      assertEquals("READY=1\nSTATUS=ready é READY=0 x\n", next());
      assertEquals("STOPPING=1\nSTATUS=ends\n", next());
    }
  }

  /** A process that serves nothing, in its first argument. */
  public static void main(String[] arguments) throws Exception {
    System.exit(
        new Service(Path.of(arguments[0]), "role")
            .serve(() -> new Service.Started("ready role", () -> {})));
  }

  @Test
  void whatServesSaysSoAndThatItEnds() throws Exception {
    String socket = directory.resolve("notify").toString();
    listen(socket);
    ProcessBuilder role =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            NoticesTest.class.getName(),
            directory.toString());
    role.environment().put("NOTIFY_SOCKET", socket);
    Process process = role.inheritIO().start();
    try {
      assertEquals("STATUS=starting\n", next());
      assertEquals("READY=1\nSTATUS=ready role\n", next());
      process.destroy();
      String last = next();
      assertTrue(last != null && last.startsWith("STOPPING=1\nSTATUS=stopping"), last);
      assertEquals(143, process.waitFor());
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void socketsThatTakeNothingAreNamed() throws IOException {
    String file = Files.createFile(directory.resolve("file")).toString();
    for (String address :
        List.of(
            directory.resolve("none").toString(),
            file,
            "@alrai-none-" + directory,
            "/" + "x".repeat(200),
            "@" + "x".repeat(200),
            "vsock:2:1",
            "@")) {
      IOException failure =
          assertThrows(IOException.class, () -> NoticeSocket.send(address, "READY=1\n"), address);
      assertTrue(failure.getMessage().matches("[\\p{Print}]{20,}"), failure.getMessage());
      Notices.of(Map.of("NOTIFY_SOCKET", address)).serves("ready"); // fails nothing
    }
  }
}
