package io.alrai.gms.force;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.file.DurableFiles;
import io.alrai.common.file.Trees;
import io.alrai.common.thread.Pause;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.node.GmsMembers;
import io.alrai.gms.api.node.GmsPeer;
import io.alrai.gms.command.Answer;
import io.alrai.gms.command.LeaderCalls;
import io.alrai.gms.command.LogCommand;
import io.alrai.gms.command.LogEntry;
import io.alrai.gms.member.Deadline;
import io.alrai.gms.member.KnownGms;
import io.alrai.gms.member.MembersLook;
import io.alrai.gms.member.SeenNode;
import io.alrai.gms.raft.GmsGroup;
import io.alrai.gms.server.DataDirLock;
import io.alrai.gms.server.GmsConfig;
import io.alrai.gms.server.GmsServer;
import io.alrai.gms.server.GroupDirectory;
import io.alrai.raft.LoneLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * Makes a node of the GMS that does not run the whole group, of the next generation, g. The log is
 * copied, the copy is changed and run once, then it gets its name:
 *
 * <pre>
 * 1. forced/ID-g              a copy of the log of the generation before
 * 2. forced/ID-g/current      a term above all of that generation, this node alone
 * 3. forced/ID-g              elected alone, has read all, BeginGeneration written
 * 4. ID-g                     renamed: from here on the node is of generation g
 * </pre>
 *
 * <p>A crash before the last step leaves the node as it was, and what is in {@code forced} is made
 * anew; after it the node is what it was to become.
 */
public final class GmsForce {
  private static final Duration ELECTION = Duration.ofSeconds(30);
  private static final long PAUSE_MILLIS = 20;

  /** What is written, in this order; a test ends after each. */
  public enum Step {
    COPIED,
    ALONE,
    BEGUN,
    RENAMED
  }

  /** Learns what has been done. */
  public interface Steps {
    void done(Step step);
  }

  private final GmsConfig config;
  private final RandomGenerator random;
  private final GroupDirectory directory;
  private final Steps steps;

  /**
   * For the node that a configuration names.
   *
   * @param random tells generations apart that begin at two nodes, each without the other
   */
  public GmsForce(GmsConfig config, RandomGenerator random, Steps steps) {
    this.random = random;
    this.config = config;
    this.directory = new GroupDirectory(config.cluster(), config.dataDir());
    this.steps = steps;
  }

  /**
   * What a node would go on with, and without whom.
   *
   * @param generation of its log
   * @param term of its last entry
   * @param index of its last entry
   * @param at when that was written
   * @param lost all other nodes
   */
  public record Outlook(long generation, long term, long index, Instant at, List<GmsPeer> lost) {
    public Outlook {
      lost = List.copyOf(lost);
    }

    /** For a person. */
    public String sentence() {
      return "entry "
          + index
          + " of term "
          + term
          + ", written about "
          + at.truncatedTo(ChronoUnit.SECONDS)
          + ", is the last one that this node has";
    }
  }

  /**
   * Looks, and changes nothing.
   *
   * @throws AlraiException ALRAI_NODE_UNAVAILABLE where it must not be: the node runs, was dropped,
   *     has no log, is alone, or others answer
   */
  public Outlook look() throws IOException {
    try (DataDirLock _ = lock()) {
      return outlook();
    }
  }

  /**
   * Does it.
   *
   * @return the generation that the node is of now
   * @param lost the names of all other nodes, as who confirms it has said them
   * @throws AlraiException ALRAI_NODE_UNAVAILABLE as {@link #look}, and where others are meant
   */
  public long force(List<String> lost) throws IOException {
    try (DataDirLock _ = lock()) {
      Outlook outlook = outlook();
      List<String> others = outlook.lost().stream().map(peer -> peer.id().name()).toList();
      if (!others.equals(lost.stream().sorted().toList())) {
        throw refusal(
            "the other nodes are " + others + ", not " + lost + ": nothing has been changed");
      }
      return make(outlook);
    }
  }

  private DataDirLock lock() throws IOException {
    if (!Files.isDirectory(config.dataDir())) {
      throw refusal("there is no node of the GMS in " + config.dataDir());
    }
    return DataDirLock.take(config.dataDir());
  }

  private Outlook outlook() throws IOException {
    if (directory.isDropped()) {
      throw refusal(
          config.node() + " was dropped from the GMS: what it has is older than what others have");
    }
    long generation =
        directory
            .generation()
            .orElseThrow(() -> refusal(config.node() + " has no log in " + config.dataDir()));
    LastEntry last = LastEntry.of(directory.logs().log(generation));
    if (last.members().stream().noneMatch(peer -> peer.id().equals(config.node()))) {
      throw refusal(config.node() + " is no node of the GMS: by its log that is " + last.members());
    }
    List<GmsPeer> lost =
        last.members().stream().filter(peer -> !peer.id().equals(config.node())).toList();
    if (lost.isEmpty()) {
      throw refusal(config.node() + " is alone already: start it");
    }
    refuseWhoAnswers(lost);
    return new Outlook(generation, last.term(), last.index(), last.at(), lost);
  }

  private void refuseWhoAnswers(List<GmsPeer> others) {
    try (MembersLook look = new MembersLook(config.cluster(), config.secret().orElseThrow())) {
      List<String> answer = look.ask(others).stream().map(SeenNode::name).toList();
      if (!answer.isEmpty()) {
        throw refusal(
            answer
                + " answers: where "
                + config.node()
                + " and it are a majority of "
                + (others.size() + 1)
                + ", start "
                + config.node()
                + "; else stop it, look there, too, and force the one that has the later entry, by"
                + " term, then by index");
      }
    }
  }

  private long make(Outlook outlook) throws IOException {
    long next = GmsMembers.nextGeneration(outlook.generation(), random);
    GroupDirectory forced = new GroupDirectory(config.cluster(), directory.logs().forced());
    Path copy = forced.logs().log(next);
    Trees.delete(directory.logs().forced());
    Files.createDirectories(directory.logs().forced());
    Trees.copyDurably(directory.logs().log(outlook.generation()), copy, Set.of("in_use.lock"));
    steps.done(Step.COPIED);
    LoneLog.make(copy, GmsGroup.peer(self()), next, outlook.index());
    steps.done(Step.ALONE);
    begin(next);
    note(copy, outlook);
    Trees.forceAll(copy); // before it gets its name
    DurableFiles.force(directory.logs().forced());
    steps.done(Step.BEGUN);
    Files.move(copy, directory.logs().log(next), StandardCopyOption.ATOMIC_MOVE);
    DurableFiles.force(config.dataDir());
    steps.done(Step.RENAMED);
    Trees.delete(directory.logs().forced());
    KnownGms.write(directory.members(), new GmsMembers(next, 0, List.of(self())));
    return next;
  }

  private GmsPeer self() {
    return config.peers().stream()
        .filter(peer -> peer.id().equals(config.node()))
        .findFirst()
        .orElseThrow();
  }

  /** Runs the copy without a port: it reads all of the log, and leads alone. */
  private void begin(long next) throws IOException {
    GmsConfig alone =
        new GmsConfig(
            config.cluster(),
            config.node(),
            List.of(new GmsPeer(config.node(), "")),
            directory.logs().forced(),
            config.snapshotEvery(),
            Optional.empty());
    try (GmsServer server = GmsServer.start(alone);
        LeaderCalls calls = server.calls()) {
      Deadline deadline = Deadline.in(ELECTION);
      while (!server.leads()) {
        if (deadline.isOver()) {
          throw refusal(
              "the copy of the log was not read within "
                  + ELECTION.toSeconds()
                  + " s: nothing has been changed");
        }
        Pause.ofMillis(PAUSE_MILLIS);
      }
      Answer answer =
          calls.write(
              new LogEntry("", new LogCommand.Change(new CatalogCommand.BeginGeneration(next))));
      if (!(answer instanceof Answer.Changed)) {
        throw refusal("the copy of the log cannot begin a generation: " + answer);
      }
    }
  }

  private void note(Path copy, Outlook outlook) throws IOException {
    Files.writeString(
        copy.resolve("forced"),
        Instant.now().truncatedTo(ChronoUnit.SECONDS)
            + ": "
            + config.node()
            + " was made the group by force, without "
            + outlook.lost()
            + ": "
            + outlook.sentence()
            + "; what was decided after it is lost\n");
  }

  private static AlraiException refusal(String sentence) {
    return new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, sentence);
  }
}
