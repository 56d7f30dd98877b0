package io.alrai.dn.backend;

/** A user of the mysqld and its password. */
public record Credentials(String user, String password) {
  @Override
  public String toString() {
    return user;
  }
}
