package io.alrai.cn.session;

import io.alrai.cn.settings.ClientIdentity;
import io.alrai.gms.api.Access;
import io.alrai.gms.api.Account;
import io.alrai.gms.api.Catalog;
import java.util.stream.Collectors;

/** For whom a session's statements run, and what that account may do. */
public final class SessionUser {
  private volatile ClientIdentity login;
  private ClientIdentity identity;
  private Access access;

  SessionUser(ClientIdentity identity) {
    this.login = identity;
    this.identity = identity;
    this.access = identity.access();
  }

  void reset(Catalog catalog) {
    access = access.reset(catalog);
  }

  /** For whom its statements run: who logged in, or the definer of a procedure. */
  public ClientIdentity identity() {
    return identity;
  }

  /** Another user logs in on the same connection. */
  public void identity(ClientIdentity other) {
    login = other;
    actAs(other);
  }

  /** Who logged in, whatever account it acts for. */
  public ClientIdentity login() {
    return login;
  }

  /** Acts for an account from now on: a procedure's definer, and back. */
  public void actAs(ClientIdentity other) {
    identity = other;
    access = other.access();
  }

  /** What its account may do by this catalog. */
  public Access access(Catalog catalog) {
    access = access.renewed(catalog);
    return access;
  }

  /** What its account might do when it was last asked. */
  public Access access() {
    return access;
  }

  /** Other roles of its account are active from now on. */
  public void access(Access changed) {
    access = changed;
  }

  /** {@code CURRENT_ROLE()}. */
  public String currentRole() {
    return access.active().isEmpty()
        ? "NONE"
        : access.active().stream().map(Account::quoted).collect(Collectors.joining(","));
  }
}
