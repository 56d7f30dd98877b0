package io.alrai.gms.member;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.secret.PrivateFiles;
import io.alrai.gms.api.node.GmsMembers;
import io.alrai.gms.api.node.GmsPeer;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a process has last heard of the GMS' nodes, kept in a file for its next start: a generation
 * that it has heard of, it does not go back from. Thread-safe.
 *
 * <pre>
 * generation = 1337
 * term = 5742371274753
 * gms = gms-1@10.0.0.1:8600,..
 * </pre>
 */
public final class KnownGms {
  private static final Logger log = LoggerFactory.getLogger(KnownGms.class);

  private final List<GmsPeer> configured;
  private final Optional<Path> file;

  /** Changed under this one's lock, after the file, where that can be written. */
  private volatile GmsMembers latest;

  /**
   * What is in the file, else what is configured.
   *
   * @param file where it is kept; empty: nowhere
   */
  public KnownGms(List<GmsPeer> configured, Optional<Path> file) {
    this.configured = List.copyOf(configured);
    this.file = file;
    this.latest = file.flatMap(KnownGms::read).orElse(GmsMembers.configured(configured));
  }

  /**
   * What a file has; empty where it is not there, or damaged.
   *
   * @throws AlraiException ALRAI_NODE_UNAVAILABLE where it is there and cannot be read: a process
   *     that begins without it might believe a generation that has ended
   */
  public static Optional<GmsMembers> read(Path file) {
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      properties.load(reader);
      return Optional.of(
          new GmsMembers(
              Long.parseLong(properties.getProperty("generation", "")),
              Long.parseLong(properties.getProperty("term", "")),
              GmsPeer.parse(properties.getProperty("gms", ""))));
    } catch (CharacterCodingException | RuntimeException damaged) {
      log.warn(
          "what this process knew of the GMS' nodes, in {}, is damaged; it begins with its"
              + " configuration: {}",
          file,
          damaged.toString());
      return Optional.empty();
    } catch (IOException e) {
      throw new AlraiException(
          ErrorCode.ALRAI_NODE_UNAVAILABLE,
          file + " says who the nodes of the GMS are, and cannot be read: " + e,
          e);
    }
  }

  /** What was heard last. */
  public GmsMembers latest() {
    return latest;
  }

  /**
   * All that may be, or have been, nodes: these are asked. One whose address is another one than
   * that in the configuration is there twice.
   */
  public List<GmsPeer> everybody() {
    List<GmsPeer> all = new ArrayList<>(latest.peers());
    for (GmsPeer peer : configured) {
      if (!all.contains(peer)) {
        all.add(peer);
      }
    }
    return all;
  }

  /**
   * Takes over what nodes have said.
   *
   * @return the one that leads; none where it is of an earlier generation than is known
   */
  public Optional<SeenNode> hear(List<SeenNode> seen) {
    MembersLook.newest(seen).ifPresent(this::learn);
    return MembersLook.leader(seen).filter(leader -> leader.generation() == latest().generation());
  }

  /**
   * Takes over what was said later than what is known.
   *
   * @return whether it was
   */
  public synchronized boolean learn(GmsMembers heard) {
    if (!heard.isAfter(latest)) {
      return false;
    }
    if (heard.generation() != latest.generation() || !heard.peers().equals(latest.peers())) {
      log.info("the GMS is {}, in generation {}", heard.peers(), heard.generation());
    }
    file.ifPresent(to -> write(to, heard));
    latest = heard;
    return true;
  }

  /** Puts into a file what {@link #read} finds there. */
  public static void write(Path file, GmsMembers members) {
    try {
      PrivateFiles.directory(file.resolveSibling(".").normalize());
      PrivateFiles.write(
          file,
          "generation = "
              + members.generation()
              + "\nterm = "
              + members.term()
              + "\ngms = "
              + GmsPeer.text(members.peers())
              + "\n");
    } catch (IOException e) {
      // the next start asks all that it is configured with, as the first one did
      log.error("{} cannot be written", file, e);
    }
  }
}
