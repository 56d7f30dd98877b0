package io.alrai.cn.command;

import io.alrai.cn.commit.SpanningTransactions;
import io.alrai.cn.forward.WarningsSink;
import io.alrai.cn.protocol.ClientCapabilities;
import io.alrai.cn.session.PreparedRoom;
import io.alrai.cn.session.PreparedStatement;
import io.alrai.cn.session.Session;
import io.alrai.cn.session.SessionClient;
import io.alrai.cn.settings.ClientIdentity;
import io.alrai.cn.settings.SettingsRegistry;
import io.alrai.cn.snapshot.TransactionSource;
import io.alrai.cn.tx.SessionTransaction;
import io.alrai.cn.tx.branch.TransactionNumbers;
import io.alrai.common.error.AlraiException;
import io.alrai.common.id.NodeId;
import io.alrai.common.wire.Packets;
import io.alrai.dn.backend.HostileOutcome;
import io.alrai.dn.backend.HostileReader;
import io.alrai.dn.backend.HostileReader.Shape;
import io.alrai.dn.link.Branch;
import io.alrai.gms.api.Access;
import io.alrai.gms.api.Account;
import io.alrai.gms.api.Credential;
import io.alrai.gms.api.Grants;
import io.alrai.optimizer.api.shape.ShapedText;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;

/** What reads replies for a client's command. */
public final class CommandReaders {
  /** All readers of commands. */
  public static final List<HostileReader> ALL =
      List.of(
          HostileReader.of(Shape.WARNINGS, CommandReaders::warnings),
          HostileReader.givingBack(Shape.ROWS, CommandReaders::fieldList),
          HostileReader.givingBack(Shape.PREPARED, CommandReaders::prepared),
          HostileReader.givingBack(Shape.PREPARED, CommandReaders::checked));

  private CommandReaders() {}

  private static void warnings(Branch branch, ByteBuf command, HostileOutcome outcome) {
    branch.send(
        command,
        Shape.WARNINGS.kind(),
        new WarningsSink(
            conditions -> {
              outcome.over();
              conditions.forEach(condition -> outcome.row(condition.message()));
            },
            name -> name));
  }

  private static void fieldList(Branch branch, ByteBuf command, HostileOutcome outcome) {
    new FieldList(new Client(outcome, session()), "t").taken(branch);
  }

  private static void prepared(Branch branch, ByteBuf command, HostileOutcome outcome) {
    KeptStatements<Integer> kept = new KeptStatements<>(PreparedRoom.of(0), new HashMap<>());
    new PreparedReply(new Client(outcome, session()), statement(), branch, kept).start();
  }

  private static void checked(Branch branch, ByteBuf command, HostileOutcome outcome) {
    new PreparedCheck(session(), statement(), branch, error -> outcome.over()).start();
  }

  private static PreparedStatement statement() {
    String sql = "SELECT ?";
    return new PreparedStatement(1, sql.getBytes(StandardCharsets.UTF_8), ShapedText.of(sql));
  }

  private static Session session() {
    // these readers take no branch of it
    TransactionSource none =
        (TransactionSource)
            Proxy.newProxyInstance(
                CommandReaders.class.getClassLoader(),
                new Class<?>[] {TransactionSource.class},
                (proxy, method, arguments) -> null);
    return new Session(
        new SessionClient("9.7.4", 3306, 1, new ClientCapabilities(0), 0),
        new ClientIdentity(
            "u",
            "h",
            Access.of(Account.of("u", "%", Credential.NONE, false, Grants.ALL), 0),
            false),
        new SessionTransaction(
            none, new TransactionNumbers(new NodeId("cn-1"), 1), new SpanningTransactions()),
        new SettingsRegistry());
  }

  /** One whose answers are noted. */
  private record Client(HostileOutcome outcome, Session session) implements CommandClient {
    @Override
    public Channel channel() {
      return outcome.client();
    }

    @Override
    public int firstSequence() {
      return 1;
    }

    @Override
    public void done() {
      outcome.over();
    }

    @Override
    public void fail(AlraiException error, int sequence) {
      ByteBuf out = channel().alloc().buffer();
      Packets.writeErr(out, sequence, error.errno(), error.sqlState(), error.sentence());
      channel().writeAndFlush(out);
      outcome.over();
    }
  }
}
