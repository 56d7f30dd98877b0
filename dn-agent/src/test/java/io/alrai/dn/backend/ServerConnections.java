package io.alrai.dn.backend;

import io.alrai.common.error.AlraiException;
import io.alrai.common.sql.Sql;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchTaker;
import io.netty.channel.EventLoopGroup;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** Connections to a real mysqld, which belong to no pool, and statements on them. */
public record ServerConnections(MysqldConnector connector, EventLoopGroup loops) {
  /** One under an account. */
  public Branch connect(BackendAccount account) throws Exception {
    return get(connecting(account));
  }

  /** One that may come later. */
  public CompletableFuture<Branch> connecting(BackendAccount account) {
    CompletableFuture<Branch> taken = new CompletableFuture<>();
    connector.open(
        loops.next(),
        account,
        new PipelinedBranch.Home() {
          @Override
          public void returned(PipelinedBranch branch) {}

          @Override
          public void lost(PipelinedBranch branch) {}
        },
        new BranchTaker() {
          @Override
          public void taken(Branch branch) {
            taken.complete(branch);
          }

          @Override
          public void refused(AlraiException reason) {
            taken.completeExceptionally(reason);
          }
        });
    return taken;
  }

  /** Sends statements; the answer comes later. */
  public static CompletableFuture<Answer> send(Branch branch, String sql) {
    CompletableFuture<Answer> done = new CompletableFuture<>();
    branch
        .eventLoop()
        .execute(() ->
            Answer.ofText(branch, Sql.client(sql))
                .whenComplete((answer, error) -> {
                  if (error == null) {
                    done.complete(answer);
                  } else {
                    done.completeExceptionally(error);
                  }
                }));
    return done;
  }

  /** Runs statements on a connection of their own; gives their rows. */
  public List<List<String>> query(String sql) throws Exception {
    Branch branch = connect(BackendAccount.ADMIN);
    try {
      return get(send(branch, sql)).rows();
    } finally {
      branch.eventLoop().execute(branch::close);
    }
  }

  /** Waits for it; throws what it failed with. */
  public static <T> T get(CompletableFuture<T> future) throws Exception {
    try {
      return future.get(Eventually.PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }
}
