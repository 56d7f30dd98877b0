package io.alrai.executor.codegen;

import io.alrai.executor.vector.HeldProbes;
import io.alrai.executor.vector.Lane;
import io.alrai.executor.vector.Pace;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Emits how a pipeline pauses between two partners of a row, as a row may have any number of them,
 * and how it comes back there. What lies before a join is done again for the row: it has no effects
 * and comes to the same.
 *
 * <pre>
 *  enter:   resuming?     row = held row; the last one held? not resuming any more
 *  follow:  go on?        else pause of this join
 *  pause:   hold the row, then pause of the enclosing join; of none: return
 * </pre>
 */
final class PauseEmitter {
  private final Emitter emitter;
  private final CodeBuilder code;
  private final int held;
  private final int pace;
  private final int resuming;
  private final Deque<Loop> loops = new ArrayDeque<>();

  /** A join's loop, and where its pause begins. */
  private record Loop(int row, int any, Label pause) {}

  /** Emits what must come before any join. */
  PauseEmitter(Emitter emitter) {
    this.emitter = emitter;
    this.code = emitter.code();
    code.aload(PipelineEmitter.LANE);
    emitter.call(Lane.class, "pace");
    this.pace = emitter.keepReference();
    code.aload(PipelineEmitter.LANE);
    emitter.call(Lane.class, "held");
    this.held = emitter.keepReference();
    code.aload(held);
    emitter.call(HeldProbes.class, "take");
    this.resuming = emitter.keepInt();
    loops.push(new Loop(-1, -1, emitter.label()));
  }

  /**
   * A join's loop begins.
   *
   * @param row local of the partner at work
   * @param any local of whether there was one
   */
  void enter(int row, int any) {
    int join = loops.size() - 1;
    Label fresh = emitter.label();
    code.iload(resuming);
    code.ifeq(fresh);
    code.aload(held);
    code.loadConstant(join);
    emitter.call(HeldProbes.class, "row");
    code.lstore(row);
    code.aload(held);
    code.loadConstant(join);
    emitter.call(HeldProbes.class, "any");
    code.istore(any);
    code.iload(resuming);
    code.loadConstant(join + 1);
    code.if_icmpne(fresh);
    code.iconst_0();
    code.istore(resuming);
    emitter.bind(fresh);
    loops.push(new Loop(row, any, emitter.label()));
  }

  /** Pauses here unless there is time left; the loop's local has the partner that is next. */
  void unlessGoesOn() {
    code.aload(pace);
    emitter.call(Pace.class, "next");
    code.ifeq(loops.element().pause());
  }

  /** After the loop, where nothing falls through to, emits its pause; at last, where it ends. */
  void leave() {
    Loop loop = loops.pop();
    emitter.bind(loop.pause());
    if (loops.isEmpty()) {
      return;
    }
    code.aload(held);
    code.loadConstant(loops.size() - 1);
    code.lload(loop.row());
    code.iload(loop.any());
    emitter.call(HeldProbes.class, "keep");
    code.goto_(loops.element().pause());
  }
}
