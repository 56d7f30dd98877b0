package io.alrai.cn.system;

import io.alrai.common.error.AlraiException;
import io.alrai.dn.link.DnMembers;
import io.alrai.dn.link.MemberStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/**
 * What a member of a DN said of itself.
 *
 * @param status empty where it did not answer
 * @param error why it did not; else empty
 */
public record MemberAnswer(String name, Optional<MemberStatus> status, String error) {
  /**
   * How often one is asked that has to answer: on a full machine it may need more than a second.
   */
  public static final int MOST_ASKS = 3;

  /** The state of one that does not answer. */
  static final String SILENT = "SILENT";

  /** Asks all members of a DN at once; blocks for a second at most. */
  public static List<MemberAnswer> ask(DnMembers members) {
    return begin(members).get();
  }

  /**
   * Asks all members of a DN at once.
   *
   * @return waits for what they say, a second after they were asked at most
   */
  static Supplier<List<MemberAnswer>> begin(DnMembers members) {
    return begin(members, members.names());
  }

  /** As {@link #begin(DnMembers)}, some of them. */
  static Supplier<List<MemberAnswer>> begin(DnMembers members, List<String> names) {
    List<CompletableFuture<MemberStatus>> asked = names.stream().map(members::ask).toList();
    return () -> {
      List<MemberAnswer> answers = new ArrayList<>();
      for (int i = 0; i < names.size(); i++) {
        answers.add(answer(names.get(i), asked.get(i)));
      }
      return answers;
    };
  }

  private static MemberAnswer answer(String name, CompletableFuture<MemberStatus> asked) {
    try {
      return new MemberAnswer(name, Optional.of(asked.join()), "");
    } catch (CompletionException e) {
      return new MemberAnswer(name, Optional.empty(), sentence(e));
    }
  }

  /** Why a member did not do what it was asked for. */
  public static String sentence(Exception failed) {
    return failed.getCause() instanceof AlraiException known
        ? known.sentence()
        : "no answer within 1 s";
  }

  /** Whether it takes writes. */
  public boolean leads() {
    return status.filter(MemberStatus::leads).isPresent();
  }

  /** What it does, in one word. */
  public String state() {
    return status.map(MemberStatus::state).orElse(SILENT);
  }
}
