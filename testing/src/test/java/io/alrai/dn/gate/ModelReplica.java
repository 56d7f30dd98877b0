package io.alrai.dn.gate;

import io.alrai.common.id.DnId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.gate.ModelViews.OpenAnswer;
import io.alrai.dn.gate.ModelViews.View;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;

/**
 * A replica that opens views at snapshots, one after the other: it is fed no more, asks a leader
 * what there is at or below the snapshot, is fed up to there, opens the view, and is fed on.
 */
public final class ModelReplica {
  private static final long BOUND = 20_000;
  private static final long LOOK = 40;

  /** Its mysqld, and what that is fed. */
  public interface Fed {
    /** Whose rows it has. */
    DnId dn();

    /** Whether it follows. */
    boolean follows();

    /** Grows with each life of the mysqld. */
    int life();

    /** Nothing more is fed. */
    void hold();

    /** Feeds what is in there, and no more; false where more was fed already. */
    boolean feedTo(BitSet place);

    /** Whether all of it is executed. */
    boolean has(BitSet place);

    /** Everything is fed. */
    void release();

    /** What a view shows now. */
    Map<Integer, List<Long>> rows();

    /** Who is believed to lead. */
    ModelAgent leader();

    /** What a leader had let through when it opened a view. */
    BitSet place(ModelAgent leader, View view);

    /** A client is shown a view by the word of a leader. */
    void shown(ModelAgent leader, View view);

    /** A place is asked for at the snapshot itself. */
    boolean asksAtTheSnapshot();

    /** A view is opened when all of its place is executed. */
    boolean awaitsThePlace();

    /** Nothing is fed until the view is open. */
    boolean holdsUntilOpen();
  }

  private record Asked(HlcTimestamp clock, HlcTimestamp at, Call<OpenAnswer> call) {}

  private final World world;
  private final Fed fed;
  private final Queue<Asked> waiting = new ArrayDeque<>();
  private boolean busy;

  /** A replica that nobody has asked yet. */
  public ModelReplica(World world, Fed fed) {
    this.world = world;
    this.fed = fed;
  }

  void open(HlcTimestamp clock, HlcTimestamp at, Call<OpenAnswer> call) {
    call.send(() -> {
      waiting.add(new Asked(clock, at, call));
      next();
    });
  }

  private void next() {
    if (busy) {
      return;
    }
    Asked asked = waiting.poll();
    if (asked == null) {
      return;
    }
    if (fed.follows()) {
      busy = true;
      new Round(asked).begin();
    } else {
      asked.call().fail();
      next();
    }
  }

  /** One view. */
  private final class Round {
    private final Asked asked;
    private final int life = fed.life();
    private final ModelAgent leader = fed.leader();
    private BitSet place = new BitSet();
    private boolean over;

    Round(Asked asked) {
      this.asked = asked;
    }

    void begin() {
      fed.hold();
      world.after(
          BOUND,
          () -> {
            if (!over) {
              fail();
            }
          });
      ask(asked.at());
    }

    private void ask(HlcTimestamp at) {
      Call<OpenAnswer> call =
          new Call<>(
              world,
              world::peerDelay,
              clock -> {},
              answer -> answered(at, answer),
              () -> {
                if (!over) {
                  fail();
                }
              });
      leader.request(asked.clock(), call, () -> leader.open(at, call));
    }

    private void answered(HlcTimestamp at, OpenAnswer answer) {
      View view = answer.view();
      if (over) {
        return;
      }
      if (view != null) {
        place = fed.place(leader, view);
        if (fed.feedTo(place)) {
          await();
        } else {
          refuse(new HlcTimestamp(at.value() + 1));
        }
      } else if (fed.asksAtTheSnapshot()) {
        refuse(answer.hint());
      } else {
        ask(Fence.max(at, answer.hint()));
      }
    }

    private void await() {
      if (over) {
        return;
      }
      if (!lives()) {
        fail();
      } else if (fed.has(place) || !fed.awaitsThePlace()) {
        if (!fed.holdsUntilOpen()) {
          fed.release();
        }
        world.after(world.between(20, 300), this::show);
      } else {
        world.after(LOOK, this::await);
      }
    }

    private boolean lives() {
      return fed.follows() && fed.life() == life;
    }

    private void show() {
      if (over) {
        return;
      }
      if (!lives()) {
        fail();
        return;
      }
      View view = new View(fed.dn(), asked.at(), Map.copyOf(fed.rows()));
      fed.shown(leader, view);
      asked.call().answer(new OpenAnswer(view, HlcTimestamp.ZERO), asked.at());
      end();
    }

    private void refuse(HlcTimestamp hint) {
      asked.call().answer(new OpenAnswer(null, hint), asked.clock());
      end();
    }

    private void fail() {
      asked.call().fail();
      end();
    }

    private void end() {
      over = true;
      busy = false;
      fed.release();
      next();
    }
  }
}
