package io.alrai.dn.backend;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchState;
import io.alrai.dn.link.BranchTaker;
import io.alrai.dn.link.ReadWatch;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Connects to the mysqld of this host through its unix socket. */
public final class MysqldConnector implements BackendConnector {
  private static final int CONNECT_MILLIS = 5_000;

  private final DnId dn;
  private final Path socket;
  private final Function<BackendAccount, Credentials> credentials;
  private final Map<Long, BranchState> open = new ConcurrentHashMap<>();
  private volatile @Nullable LeftStatements left;
  private volatile BooleanSupplier answering = () -> true;

  /** Connections for one mysqld. */
  public MysqldConnector(DnId dn, Path socket, Function<BackendAccount, Credentials> credentials) {
    this.dn = dn;
    this.socket = socket;
    this.credentials = credentials;
  }

  /**
   * From now on what connections leave at work when they are closed is ended there.
   *
   * @param ended counts
   */
  public void endsLeftStatements(LongAdder ended) {
    left = new LeftStatements(dn, this, open::containsKey, ended);
  }

  /** From now on that says whether the mysqld answers. */
  public void answersAs(BooleanSupplier says) {
    answering = says;
  }

  @Override
  public boolean answers() {
    return answering.getAsBoolean();
  }

  /** Where it goes. */
  public DnId dn() {
    return dn;
  }

  /**
   * The largest stamp that the session that uses one of the mysqld's connections wrote or read, as
   * 64 bits of HLC; 0 for any other connection. Any thread.
   */
  public long dependencyOf(long serverConnectionId) {
    BranchState state = open.get(serverConnectionId);
    return state == null ? 0 : state.dependency();
  }

  private BranchTaker noting(BranchTaker taker) {
    return new BranchTaker() {
      @Override
      public void taken(Branch branch) {
        long id = branch.serverConnectionId();
        BranchState state = branch.state();
        open.put(id, state);
        PipelinedBranch opened = (PipelinedBranch) branch;
        long nanos = branch.eventLoop().ticker().nanoTime();
        opened
            .channel()
            .closeFuture()
            .addListener(closed -> {
              // a mysqld that is back gives the same numbers again
              open.remove(id, state);
              LeftStatements ending = left;
              if (ending != null && opened.leavesWork()) {
                ending.left(opened.eventLoop(), id, nanos);
              }
            });
        taker.taken(branch);
      }

      @Override
      public void refused(AlraiException reason) {
        taker.refused(reason);
      }
    };
  }

  @Override
  public void open(
      EventLoop loop, BackendAccount account, PipelinedBranch.Home home, BranchTaker taker) {
    open(loop, account, home, taker, ReadWatch.NONE, channel -> {});
  }

  /**
   * Opens a connection for a caller that wants to know it from its beginning.
   *
   * @param watch of the DN's commits
   * @param begun takes the channel before it is connected
   */
  void open(
      EventLoop loop,
      BackendAccount account,
      PipelinedBranch.Home home,
      BranchTaker taker,
      ReadWatch watch,
      Consumer<Channel> begun) {
    new Bootstrap()
        .group(loop)
        .channel(EpollDomainSocketChannel.class)
        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS)
        .handler(
            new ChannelInitializer<Channel>() {
              @Override
              protected void initChannel(Channel channel) {
                begun.accept(channel);
                channel
                    .pipeline()
                    .addLast(
                        new LoginHandler(
                            dn, credentials.apply(account), account, home, watch, noting(taker)));
              }
            })
        .connect(new DomainSocketAddress(socket.toFile()))
        .addListener(done -> {
          if (!done.isSuccess()) {
            taker.refused(
                new AlraiException(
                    ErrorCode.ALRAI_NODE_UNAVAILABLE,
                    "the mysqld of " + dn + " does not answer",
                    done.cause()));
          }
        });
  }
}
