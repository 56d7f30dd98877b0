package io.alrai.cn.trace;

import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.common.wire.ErrPacket;
import io.alrai.common.wire.PacketKind;
import io.alrai.common.wire.Packets;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchTaker;
import io.alrai.dn.link.BranchTrace;
import io.alrai.dn.link.ReplySink;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/** The steps of one statement while it is at work. Event loop of its client only. */
final class StatementTrace {
  /** More are counted and not kept. */
  static final int MOST_STEPS = 1_000;

  private final LongSupplier nanoTime;
  private final long startNanos;
  private final List<TraceStep> steps = new ArrayList<>();
  private int left;
  private boolean over;

  StatementTrace(LongSupplier nanoTime, long startNanos) {
    this.nanoTime = nanoTime;
    this.startNanos = startNanos;
  }

  /** Nanoseconds since it began. */
  long now() {
    return nanoTime.getAsLong() - startNanos;
  }

  /** A taker that has what is sent on its branch recorded. */
  BranchTaker taker(DnId dn, BranchTaker taker) {
    long asked = now();
    return new BranchTaker() {
      @Override
      public void taken(Branch branch) {
        if (!over) {
          branch.state().trace(new OnBranch(dn.name(), now() - asked));
        }
        taker.taken(branch);
      }

      @Override
      public boolean sendsText() {
        return taker.sendsText();
      }

      @Override
      public void refused(AlraiException reason) {
        TraceStep step = new TraceStep(dn.name(), "a connection", asked, now() - asked);
        step.failed(reason.sentence());
        add(step);
        taker.refused(reason);
      }
    };
  }

  /** What is sent on a branch that the transaction has already is recorded. */
  void follow(Branch branch) {
    branch.state().trace(new OnBranch(branch.dn().name(), TraceStep.UNKNOWN));
  }

  /** Nothing is recorded on it any more. */
  static void leave(Branch branch) {
    branch.state().trace(null);
  }

  /** How many steps there are. */
  int count() {
    return steps.size();
  }

  /** The steps from one on. */
  List<TraceStep> from(int first) {
    return List.copyOf(steps.subList(first, steps.size()));
  }

  /** A step that no branch has. */
  void adds(String place, String text, long start, long first, long end, long rows) {
    TraceStep step = new TraceStep(place, text, start, TraceStep.UNKNOWN);
    step.first(first);
    step.rows(rows);
    step.ended(end);
    add(step);
  }

  private boolean add(TraceStep step) {
    if (over) {
      return false;
    }
    if (steps.size() >= MOST_STEPS) {
      left++;
      return false;
    }
    steps.add(step);
    return true;
  }

  /**
   * The statement has ended.
   *
   * @param text of it
   * @param path that it took
   * @param rows that its client got
   * @param error that its client got; empty for none
   * @return it, and then its steps in the order in which they were sent
   */
  List<TraceStep> end(String text, String path, long rows, String error) {
    over = true;
    TraceStep first = new TraceStep(path, text, 0, TraceStep.UNKNOWN);
    first.rows(rows);
    first.ended(now());
    if (!error.isEmpty()) {
      first.failed(error);
    } else if (left > 0) {
      first.failed(left + " steps more are not shown");
    }
    List<TraceStep> all = new ArrayList<>(steps.size() + 1);
    all.add(first);
    all.addAll(steps);
    steps.clear(); // branches that are kept know this trace until they go home
    return List.copyOf(all);
  }

  /** The statement has ended, and its steps are not wanted. */
  void drop() {
    over = true;
    steps.clear();
  }

  /** Records what is sent on one branch, until the statement ends. */
  private final class OnBranch implements BranchTrace {
    private final String place;

    /** Only the first step has waited. */
    private long waitNanos;

    OnBranch(String place, long waitNanos) {
      this.place = place;
      this.waitNanos = waitNanos;
    }

    @Override
    public ReplySink sent(ByteBuf command, ReplySink sink) {
      if (over) {
        return sink;
      }
      TraceStep step = new TraceStep(place, TraceText.of(command), now(), waitNanos);
      waitNanos = TraceStep.UNKNOWN;
      return add(step) ? new Measuring(step, sink) : sink;
    }
  }

  /** Passes a reply on. */
  private final class Measuring implements ReplySink {
    private final TraceStep step;
    private final ReplySink sink;
    private boolean goesOn;

    Measuring(TraceStep step, ReplySink sink) {
      this.step = step;
      this.sink = sink;
    }

    @Override
    public void packet(PacketKind kind, ByteBuf buf, int header, int length) {
      if (!over) {
        boolean row = kind == PacketKind.ROW && !goesOn;
        goesOn = kind == PacketKind.ROW && length == Packets.HEADER + Packets.MAX_PAYLOAD;
        if (step.awaitsFirst()) {
          step.first(now());
        }
        step.came(length, row);
        if (kind == PacketKind.ERR) {
          int payload = header + Packets.HEADER;
          ErrPacket error = ErrPacket.parse(buf, payload, length - Packets.HEADER);
          step.failed(error.errno() + ": " + error.message());
        }
      }
      sink.packet(kind, buf, header, length);
    }

    @Override
    public void chunkEnd() {
      sink.chunkEnd();
    }

    @Override
    public void end(int status) {
      if (!over) {
        step.ended(now());
      }
      sink.end(status);
    }

    @Override
    public void failed(AlraiException reason) {
      if (!over) {
        step.ended(now());
        step.failed(reason.sentence());
      }
      sink.failed(reason);
    }
  }
}
