package io.alrai.gms.api.node;

/** How the nodes of the GMS change, one at a time. Blocking; each can be repeated. */
public interface GmsNodes {
  /** Who they are, as far as this process has heard. */
  GmsMembers members();

  /**
   * Adds a node, whose process runs and waits for it; returns when it votes.
   *
   * @throws io.alrai.common.error.AlraiException ALRAI_NODE_UNAVAILABLE with the reason
   */
  void add(GmsPeer joiner);

  /**
   * Drops a node, which need not run; returns when it votes no more.
   *
   * @throws io.alrai.common.error.AlraiException ALRAI_NODE_UNAVAILABLE with the reason
   */
  void drop(String name);
}
