package io.alrai.cn.command;

import io.alrai.cn.compress.Compression;
import io.alrai.cn.protocol.ClientCapabilities;
import io.alrai.cn.protocol.CommandFramer;
import io.alrai.cn.protocol.HandshakeHandler;
import io.alrai.cn.service.CnServices;
import io.alrai.cn.session.Session;
import io.alrai.cn.session.SessionCharset;
import io.alrai.cn.session.SessionClient;
import io.alrai.cn.settings.ClientIdentity;
import io.alrai.cn.tls.Encryption;
import io.alrai.cn.tx.SessionTransaction;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.gms.api.Access;
import io.alrai.gms.api.DynamicPrivilege;
import io.alrai.gms.api.Privilege;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.SslHandler;
import java.net.InetSocketAddress;

/** Makes the session of a client that has logged in. Event loop only. */
public final class SessionOpening implements HandshakeHandler.Acceptance {
  private final CnServices services;
  private final ClientConnection connection;
  private final int connectionId;

  /** An opening for one new connection. */
  public SessionOpening(CnServices services, ClientConnection connection, int connectionId) {
    this.services = services;
    this.connection = connection;
    this.connectionId = connectionId;
  }

  @Override
  public void accept(
      ChannelHandlerContext ctx,
      ClientIdentity identity,
      ClientCapabilities capabilities,
      Compression compression,
      int collationId,
      String schema) {
    requireRoom(identity.access());
    SessionTransaction transaction =
        new SessionTransaction(
            connection.branches(),
            services.transactions().numbers(),
            services.transactions().spanning());
    SessionClient client =
        new SessionClient(
            services.clients().serverVersion(),
            ctx.channel().localAddress() instanceof InetSocketAddress local ? local.getPort() : 0,
            connectionId,
            capabilities,
            services.clients().wallMillis().getAsLong());
    Session session = new Session(client, identity, transaction, services.clients().settings());
    transaction.held().admission().of(new LockWaiter(session, services.clients().wallMillis()));
    client.compression(compression);
    if (ctx.channel().remoteAddress() instanceof InetSocketAddress peer
        && peer.getAddress().getHostAddress().equals(identity.host())) {
      client.clientPort(peer.getPort());
    }
    SslHandler tls = ctx.pipeline().get(SslHandler.class);
    if (tls != null) {
      client.encryption(Encryption.of(tls.engine().getSession()));
    }
    services
        .clients()
        .collations()
        .ofId(collationId)
        .ifPresent(collation ->
            SessionCharset.setNames(session, services.clients().settings(), collation));
    if (!schema.isEmpty()) {
      CommandHandlers.useSchema(services.gms().catalog(), session, schema);
    }
    connection.begin(session);
    ctx.pipeline()
        .addLast(
            "commands", new CommandFramer(services.statements().maxAllowedPacket(), connection));
  }

  private void requireRoom(Access access) {
    boolean full =
        services.clients().sessions().all().size()
            >= services.clients().settings().globals().maxConnections();
    if (full && !access.has(Privilege.SUPER) && !access.has(DynamicPrivilege.CONNECTION_ADMIN)) {
      throw new AlraiException(ErrorCode.ER_CON_COUNT_ERROR, "Too many connections");
    }
  }
}
