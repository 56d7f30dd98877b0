package io.alrai.optimizer.api;

import io.alrai.gms.api.Credential;
import java.util.Optional;

/** What an account is to be identified by. Its text never goes to a log. */
public sealed interface NewPassword {
  /** The authentication plugin, if one is said; else the account's stays. */
  Optional<String> said();

  /** IDENTIFIED [WITH plugin] BY 'text'; no password where it is empty. */
  record Plain(Optional<String> said, String text) implements NewPassword {
    @Override
    public String toString() {
      return "Plain[]";
    }
  }

  /** IDENTIFIED WITH plugin AS 'text': what SHOW CREATE USER shows. */
  record Kept(Credential credential) implements NewPassword {
    @Override
    public Optional<String> said() {
      return Optional.of(credential.plugin());
    }
  }

  /** IDENTIFIED WITH plugin: no password, and where there was one, a new one has to be set. */
  record None(String plugin) implements NewPassword {
    @Override
    public Optional<String> said() {
      return Optional.of(plugin);
    }
  }
}
