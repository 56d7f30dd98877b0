package io.alrai.cn.command;

import io.alrai.cn.protocol.Nonces;
import io.alrai.cn.session.ClientIdentity;
import io.alrai.cn.session.Session;
import io.alrai.common.error.AlraiException;
import io.alrai.common.wire.Capability;
import io.alrai.common.wire.Packets;
import io.alrai.common.wire.Scramble;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/**
 * The rest of a CHANGE_USER: a proof over a fresh nonce is asked for, then the session is the other
 * user's or the connection ends. Event loop only.
 */
final class UserChangeDialog {
  private final ClientConnection connection;
  private final UserChange change;
  private final byte[] nonce = Nonces.next();
  private final String plugin;

  UserChangeDialog(ClientConnection connection, UserChange change) {
    this.connection = connection;
    this.change = change;
    this.plugin = change.plugin().equals(Scramble.NATIVE) ? Scramble.NATIVE : Scramble.SHA2;
  }

  void start() {
    ByteBuf out = connection.channel().alloc().buffer(64);
    int header = Packets.begin(out, 1);
    out.writeByte(0xfe);
    out.writeCharSequence(plugin, StandardCharsets.UTF_8);
    out.writeByte(0).writeBytes(nonce).writeByte(0);
    Packets.end(out, header);
    connection.channel().writeAndFlush(out, connection.channel().voidPromise());
    connection.nextPacket(this::proof);
  }

  private void proof(ByteBuf packet) {
    int sequence = packet.getUnsignedByte(packet.readerIndex() + 3);
    byte[] proof = new byte[packet.readableBytes() - Packets.HEADER];
    packet.getBytes(packet.readerIndex() + Packets.HEADER, proof);
    packet.release();
    byte[] given = proof.length == 1 && proof[0] == 0 ? new byte[0] : proof;
    Session session = connection.session();
    try {
      ClientIdentity identity =
          connection
              .services()
              .authentication()
              .check(
                  change.user(),
                  session.identity().host(),
                  plugin,
                  nonce,
                  given,
                  session.capabilities().has(Capability.EXPIRED_PASSWORDS));
      connection.services().settings().transport().demand(session.encryption().on());
      session.identity(identity);
      session.schema("");
      if (!change.schema().isEmpty()) {
        CommandHandlers.useSchema(connection.services().gms().catalog(), session, change.schema());
      }
      int next = sequence + 1;
      if (plugin.equals(Scramble.SHA2) && given.length > 0) {
        ByteBuf out = connection.channel().alloc().buffer(16);
        int header = Packets.begin(out, next++);
        out.writeByte(1).writeByte(3);
        Packets.end(out, header);
        connection.channel().write(out, connection.channel().voidPromise());
      }
      connection.ok(0, next);
    } catch (AlraiException e) {
      connection.fail(e, sequence + 1);
      connection.channel().close();
    }
  }
}
