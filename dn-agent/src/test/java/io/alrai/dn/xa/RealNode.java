package io.alrai.dn.xa;

import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.common.metrics.Metric;
import io.alrai.common.metrics.Metrics;
import io.alrai.common.sql.Sql;
import io.alrai.common.time.HybridLogicalClock;
import io.alrai.dn.backend.Answer;
import io.alrai.dn.backend.BackendConnector;
import io.alrai.dn.backend.Eventually;
import io.alrai.dn.backend.PoolLimits;
import io.alrai.dn.clock.PersistentClock;
import io.alrai.dn.clock.WallTime;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchTaker;
import io.alrai.dn.link.CommitParticipant;
import io.alrai.dn.link.DnLink;
import io.alrai.dn.link.ViewOpener;
import io.alrai.dn.mysqld.InstallProgress;
import io.alrai.dn.mysqld.MysqldConfig;
import io.alrai.dn.mysqld.MysqldInstance;
import io.alrai.dn.mysqld.MysqldMemory;
import io.alrai.dn.mysqld.MysqldState;
import io.alrai.dn.mysqld.TestAccounts;
import io.alrai.dn.role.DnAgent;
import io.alrai.dn.role.LeaderContext;
import io.alrai.dn.role.MemberContext;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** A DN of real parts, without a CN: a supervised mysqld, its agent's participant and resolver. */
public final class RealNode implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 30;
  private static final PoolLimits LIMITS = new PoolLimits(20, 4, Duration.ofSeconds(2).toNanos());

  private final DnAgent agent;
  private final EventLoop loop;
  private final Metrics metrics = new Metrics();
  private long crashedPid = -1;

  /**
   * Starts everything.
   *
   * @param participants of all DNs, for the gate and the resolver
   */
  public RealNode(
      String name,
      int serverId,
      Path directory,
      EventLoopGroup loops,
      Function<DnId, CommitParticipant> participants) {
    this(name, serverId, directory, loops, participants, UnaryOperator.identity());
  }

  /** A node with options for its mysqld. */
  public RealNode(
      String name,
      int serverId,
      Path directory,
      EventLoopGroup loops,
      Function<DnId, CommitParticipant> participants,
      UnaryOperator<MysqldConfig> options) {
    MysqldInstance instance =
        MysqldInstance.create(
            TestAccounts.template(InstallProgress.silent()),
            options.apply(
                MysqldConfig.of(directory.resolve(name), serverId)
                    .withMemory(new MysqldMemory(64L << 20, 64L << 20, 60))
                    .withSemiSync()));
    List<EventLoop> all = new ArrayList<>();
    loops.forEach(executor -> all.add((EventLoop) executor));
    loop = all.getFirst();
    agent =
        DnAgent.start(
            new DnId(name),
            instance,
            new MemberContext(
                all,
                new HybridLogicalClock(WallTime.system(), 500),
                WallTime.system(),
                System::nanoTime,
                metrics),
            new LeaderContext(LIMITS, participants, (coordinator, within) -> false));
  }

  /** The DN. */
  public DnId dn() {
    return agent.lead().dn();
  }

  /** Its agent's part in commits. */
  public XaParticipant participant() {
    return (XaParticipant) agent.lead().link().participant();
  }

  /** Its gate, as CNs see it. */
  public ViewOpener views() {
    return agent.lead().link().views();
  }

  /** What it has counted. */
  public long count(Metric metric) {
    return metrics.adder(metric, dn()).sum();
  }

  /** Opens connections to its mysqld. */
  public BackendConnector connector() {
    return agent.lead().connector();
  }

  /** Its clock. */
  public PersistentClock clock() {
    return agent.clock();
  }

  /** kill -9 of its mysqld, which is then started again. */
  public void crash() {
    crashedPid = agent.supervisor().pid().orElse(crashedPid);
    agent.supervisor().crash();
  }

  /**
   * Sends its mysqld a signal; after STOP it stands still when this returns.
   *
   * @param name for example STOP
   */
  public void signal(String name) throws Exception {
    String pid = Long.toString(agent.supervisor().pid().orElseThrow());
    int exit = new ProcessBuilder("kill", "-" + name, pid).inheritIO().start().waitFor();
    if (exit != 0) {
      throw new IllegalStateException("kill -" + name + " " + pid + " failed");
    }
    if (name.equals("STOP")) {
      // a signal waits until some thread of the process runs; the others go on until then
      Eventually.await("stop of all threads", () -> isStopped(Path.of("/proc", pid, "task")));
    }
  }

  private static boolean isStopped(Path tasks) {
    try (Stream<Path> all = Files.list(tasks)) {
      for (Path task : all.toList()) {
        String stat = Files.readString(task.resolve("stat"));
        if (stat.charAt(stat.lastIndexOf(')') + 2) != 'T') {
          return false;
        }
      }
      return true;
    } catch (IOException e) {
      return false; // a thread has ended meanwhile
    }
  }

  /** Waits for its mysqld. */
  public void awaitUp() throws Exception {
    Eventually.await(
        "mysqld",
        () ->
            agent.supervisor().state() == MysqldState.UP
                && agent.supervisor().pid().orElse(crashedPid) != crashedPid);
  }

  /** A connection of its pool. */
  public Branch take() throws Exception {
    return take(agent.lead().link(), loop);
  }

  /** A connection of any link's pool. */
  public static Branch take(DnLink from, EventLoop loop) throws Exception {
    return take(from, loop, BackendAccount.DATA);
  }

  /** A connection of any link's pool under an account. */
  public static Branch take(DnLink from, EventLoop loop, BackendAccount account) throws Exception {
    CompletableFuture<Branch> taken = new CompletableFuture<>();
    loop.execute(() ->
        from.take(
            loop,
            account,
            "",
            new BranchTaker() {
              @Override
              public void taken(Branch branch) {
                taken.complete(branch);
              }

              @Override
              public void refused(AlraiException reason) {
                taken.completeExceptionally(reason);
              }
            }));
    return get(taken);
  }

  /** Runs statements on a branch; gives their rows. */
  public static List<List<String>> run(Branch branch, String sql) throws Exception {
    CompletableFuture<Answer> answer = new CompletableFuture<>();
    onLoop(branch, () -> Answer.ofText(branch, Sql.client(sql)))
        .whenComplete((done, error) -> {
          if (error == null) {
            answer.complete(done);
          } else {
            answer.completeExceptionally(TxLog.failed(error).reason());
          }
        });
    return get(answer).rows();
  }

  /** Runs an administrator's statements on a connection of its own for it. */
  public List<List<String>> query(String sql) throws Exception {
    Branch branch = take(agent.lead().link(), loop, BackendAccount.ADMIN);
    try {
      return run(branch, sql);
    } finally {
      onLoop(
          branch,
          () -> {
            branch.release();
            return CompletableFuture.completedFuture(null);
          });
    }
  }

  /** Calls something on the branch's loop. */
  public static <T> CompletableFuture<T> onLoop(
      Branch branch, Supplier<CompletableFuture<T>> call) {
    CompletableFuture<T> done = new CompletableFuture<>();
    branch
        .eventLoop()
        .execute(() ->
            call.get()
                .whenComplete((value, error) -> {
                  if (error == null) {
                    done.complete(value);
                  } else {
                    done.completeExceptionally(error);
                  }
                }));
    return done;
  }

  /** Waits for a future; throws its own exception. */
  public static <T> T get(CompletableFuture<T> future) throws Exception {
    try {
      return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Exception cause) {
        throw cause;
      }
      throw e;
    } catch (TimeoutException e) {
      throw new AssertionError("no answer in " + PATIENCE_SECONDS + " s", e);
    }
  }

  /** Ends all in order, while {@link #close} kills its mysqld. */
  public void stop() {
    agent.close();
  }

  @Override
  public void close() {
    agent.supervisor().stopNow();
    agent.close();
  }
}
