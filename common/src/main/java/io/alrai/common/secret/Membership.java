package io.alrai.common.secret;

/**
 * What a process' configuration says that makes it a member of a cluster.
 *
 * @param secret the text of the cluster's
 * @param tls how it speaks with other members
 */
public record Membership(String secret, MemberTls tls) {
  /** In a new cluster, with a secret of its own. */
  public static Membership fresh(MemberTls tls) {
    return new Membership(ClusterSecret.fresh(), tls);
  }

  /** A copy that has come so far with TLS. */
  public Membership in(MemberTls.Mode mode) {
    return new Membership(secret, new MemberTls(mode, tls.files()));
  }

  /**
   * Reads what it names. Blocking.
   *
   * @throws io.alrai.common.error.AlraiException with a sentence that says what is wrong with it
   */
  public ClusterSecret open() {
    return new ClusterSecret(secret).with(tls);
  }

  /** Lines of a role's file, each after a newline. */
  public String text() {
    return "\nsecret = " + secret + tls.text();
  }

  @Override
  public String toString() {
    return "Membership[" + tls + "]";
  }
}
