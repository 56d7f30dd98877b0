package io.alrai.cn.command;

import io.alrai.cn.protocol.LoginAttempt;
import io.alrai.cn.protocol.PasswordDialog;
import io.alrai.cn.session.Session;
import io.alrai.cn.session.SessionCharset;
import io.alrai.cn.settings.ClientIdentity;
import io.alrai.common.error.AlraiException;
import io.alrai.common.wire.Capability;
import io.alrai.common.wire.Packets;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import java.util.concurrent.TimeUnit;

/**
 * The rest of a CHANGE_USER: a proof over a fresh nonce is asked for, then the session is the other
 * user's or the connection ends. Event loop only.
 */
final class UserChangeDialog implements PasswordDialog.Peer {
  private final ClientConnection connection;
  private final UserChange change;
  private final PasswordDialog dialog;
  private final ChannelFutureListener left;
  private int sequence;

  UserChangeDialog(ClientConnection connection, UserChange change) {
    this.connection = connection;
    this.change = change;
    Session session = connection.session();
    this.dialog =
        new PasswordDialog(
            connection.services().clients().authentication(),
            new LoginAttempt(
                change.user(),
                session.user().identity().host(),
                session.client().encryption().on(),
                session.client().capabilities().has(Capability.EXPIRED_PASSWORDS)),
            this);
    this.left = closed -> dialog.left();
  }

  /** Names no plugin: whichever it is, the proof that came was made with the earlier nonce. */
  void start() {
    connection.channel().closeFuture().addListener(left);
    dialog.begin("", true, new byte[0], new byte[0]);
  }

  @Override
  public void send(byte[] payload) {
    ByteBuf out = connection.channel().alloc().buffer(payload.length + Packets.HEADER);
    int header = Packets.begin(out, sequence + 1);
    out.writeBytes(payload);
    Packets.end(out, header);
    connection.channel().writeAndFlush(out, connection.channel().voidPromise());
    connection.nextPacket(this::answer);
  }

  private void answer(ByteBuf packet) {
    sequence = packet.getUnsignedByte(packet.readerIndex() + 3);
    byte[] payload = new byte[packet.readableBytes() - Packets.HEADER];
    packet.getBytes(packet.readerIndex() + Packets.HEADER, payload);
    packet.release();
    dialog.answer(payload);
  }

  @Override
  public void accepted(ClientIdentity identity, boolean proved) {
    connection.channel().closeFuture().removeListener(left);
    if (!open()) {
      return;
    }
    Session session = connection.session();
    try {
      connection
          .services()
          .clients()
          .settings()
          .transport()
          .demand(session.client().encryption().on());
      identity.enters(() -> session.user().identity(identity));
      session.schema("");
      connection
          .services()
          .clients()
          .collations()
          .ofId(change.collationId())
          .ifPresent(collation ->
              SessionCharset.setNames(
                  session, connection.services().clients().settings(), collation));
      if (!change.schema().isEmpty()) {
        CommandHandlers.useSchema(connection.services().gms().catalog(), session, change.schema());
      }
    } catch (AlraiException e) {
      refused(e);
      return;
    }
    int next = sequence + 1;
    if (proved) {
      ByteBuf out = connection.channel().alloc().buffer(16);
      int header = Packets.begin(out, next++);
      out.writeByte(1).writeByte(3);
      Packets.end(out, header);
      connection.channel().write(out, connection.channel().voidPromise());
    }
    connection.ok(0, next);
  }

  @Override
  public void refused(AlraiException reason) {
    if (!open()) {
      return;
    }
    connection.fail(reason, sequence + 1);
    connection.channel().close();
  }

  @Override
  public void later(long millis, Runnable step) {
    if (millis == 0) {
      connection.channel().eventLoop().execute(step);
    } else {
      connection.channel().eventLoop().schedule(step, millis, TimeUnit.MILLISECONDS);
    }
  }

  @Override
  public boolean open() {
    return connection.channel().isActive();
  }
}
