package io.alrai.dn.link;

/**
 * What a mysqld logs in with at another one, to clone that.
 *
 * @param password ASCII letters, digits, - and _
 */
public record DonorLogin(String user, String password) {
  /** Without the password. */
  @Override
  public String toString() {
    return "DonorLogin[" + user + "]";
  }
}
