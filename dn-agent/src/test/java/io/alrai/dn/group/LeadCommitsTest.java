package io.alrai.dn.group;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.dn.link.CommitFate;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LeadCommitsTest {
  private static final long AHEAD = LeaderEntries.AHEAD;

  private final LeadCommits log = new LeadCommits();

  /** Written when the leader's clock was so. */
  private void committed(long term, long connection, long clock) {
    log.committed(term, connection, clock + AHEAD);
  }

  @Test
  void theCommitAfterWhatWasSentIsTheOneAskedAbout() {
    log.begins(3);
    committed(3, 7, 100);
    committed(3, 8, 120);
    assertEquals(CommitFate.COMMITTED, log.fate(3, 7, 99));
    assertEquals(CommitFate.OPEN, log.fate(3, 7, 100), "it may still come");
    assertEquals(CommitFate.OPEN, log.fate(3, 9, 0));
    log.begins(4);
    assertEquals(CommitFate.COMMITTED, log.fate(3, 7, 99));
    assertEquals(CommitFate.LOST, log.fate(3, 7, 100), "that one was acknowledged before");
    assertEquals(CommitFate.LOST, log.fate(3, 9, 0));
    assertEquals(CommitFate.OPEN, log.fate(4, 7, 100));
    assertEquals(CommitFate.OPEN, log.fate(5, 7, 100), "nobody has heard of that lead yet");
  }

  @Test
  void aMemberThatCameInTheMiddleOfALeadKnowsWhatCameAfter() {
    committed(3, 7, 100);
    committed(3, 8, 150);
    log.begins(4);
    assertEquals(CommitFate.COMMITTED, log.fate(3, 8, 140));
    assertEquals(CommitFate.LOST, log.fate(3, 9, 100));
    assertEquals(CommitFate.UNKNOWN, log.fate(3, 9, 99), "it may have been before");
    assertEquals(CommitFate.UNKNOWN, log.fate(2, 9, 10));
  }

  @Test
  void aMemberThatHasSkippedEntriesDoesNotSayThatOneWasLost() {
    log.begins(3);
    committed(3, 7, 100);
    log.forget();
    log.begins(4);
    assertEquals(CommitFate.UNKNOWN, log.fate(3, 7, 100));
    log.forget();
    committed(4, 7, 200);
    log.begins(5);
    assertEquals(CommitFate.UNKNOWN, log.fate(4, 8, 150));
    assertEquals(CommitFate.LOST, log.fate(4, 8, 200));
  }

  @Test
  void connectionsOfTwoLivesInOneTermAreNotTakenForEachOther() {
    log.begins(3);
    committed(3, 7, 100);
    log.begins(3);
    committed(3, 7, 200);
    log.begins(4);
    assertEquals(CommitFate.UNKNOWN, log.fate(3, 7, 150));
  }

  @Test
  void leadsOfLongAgoAreForgotten() {
    for (int term = 1; term <= 20; term++) {
      log.begins(term);
    }
    assertEquals(CommitFate.UNKNOWN, log.fate(2, 7, 0));
    assertEquals(CommitFate.LOST, log.fate(19, 7, 0));
  }

  /** One client of a connection, which the leader is lost to at any moment. */
  private static final class Life {
    private final Random random;
    private long clock;
    private long client;

    Life(Random random) {
      this.random = random;
    }

    private void time() {
      clock += random.nextInt(2);
    }

    /** Gives whether the last statement is in the log, and what the log says. */
    List<Object> run(LeadCommits log, long term) {
      List<Object> told = new ArrayList<>();
      int statements = random.nextInt(4);
      boolean in = false;
      for (int i = 0; i <= statements; i++) {
        time();
        client = Math.max(client + random.nextInt(2), clock); // it has heard of the last answer
        clock = Math.max(clock, client); // and the agent hears that with the statement
        in = random.nextInt(3) > 0; // a statement may change nothing
        if (in) {
          clock++; // its stamp
          time();
          log.committed(term, 7, clock + AHEAD);
        }
      }
      log.begins(term + 1);
      told.add(in ? CommitFate.COMMITTED : CommitFate.LOST);
      told.add(log.fate(term, 7, client));
      return told;
    }
  }

  @Test
  void theAnswerIsExactWhateverTheClocksDo() {
    for (int seed = 0; seed < 5_000; seed++) {
      LeadCommits fresh = new LeadCommits();
      fresh.begins(1);
      List<Object> told = new Life(new Random(seed)).run(fresh, 1);
      assertEquals(told.getFirst(), told.getLast(), "seed " + seed);
    }
  }
}
