package io.alrai.dn.rpc;

import io.alrai.dn.link.Branch;
import io.alrai.dn.link.KeptReplies;
import io.alrai.dn.rpc.wire.Message;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Whether a session has locked tables, so that nothing that is kept is found. Event loop only. */
final class Suspension {
  private @Nullable Runnable end;

  /** Begins or ends it, if that is new; the answer to the caller. */
  CompletableFuture<Message> set(boolean on, KeptReplies rows, Branch locking) {
    if (!on) {
      end();
    } else if (end == null) {
      end = () -> rows.resume(locking);
      return ParticipantCalls.done(rows.suspend(locking));
    }
    return CompletableFuture.completedFuture(new Message.Done());
  }

  /** Ends, if it has begun. */
  void end() {
    Runnable resume = end;
    end = null;
    if (resume != null) {
      resume.run();
    }
  }
}
