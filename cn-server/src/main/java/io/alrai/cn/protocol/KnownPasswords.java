package io.alrai.cn.protocol;

import io.alrai.gms.api.Account;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.Credential;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Fast digests of the passwords that this CN has seen, so that a client's proof is enough the next
 * time, as caching_sha2_password keeps them: in memory only. An account that has another password,
 * name or salt by now is not known. Thread-safe.
 */
final class KnownPasswords {
  /** The most accounts that are remembered. */
  private static final int MOST = 100_000;

  private final Map<String, Known> known = new ConcurrentHashMap<>();
  private volatile Map<String, Account> followed = Map.of();

  /**
   * A password that was right.
   *
   * @param credential for which it was
   * @param digest upper-case hex of SHA256(SHA256(password))
   */
  private record Known(Credential credential, String digest) {}

  /** The fast digest of an account's password, if it was seen. */
  Optional<String> digest(Account account) {
    Known found = known.get(account.key());
    return found != null && found.credential.equals(account.credential())
        ? Optional.of(found.digest)
        : Optional.empty();
  }

  /** A password was right for an account with this credential. */
  void learn(String key, Credential credential, String digest) {
    if (known.size() >= MOST) {
      known.clear();
    }
    known.put(key, new Known(credential, digest));
  }

  /** Forgets all. */
  void clear() {
    known.clear();
  }

  /** Forgets accounts that are gone or have another password. */
  void follow(Catalog catalog) {
    if (catalog.accounts() == followed) { // most changes are of something else
      return;
    }
    followed = catalog.accounts();
    known
        .entrySet()
        .removeIf(each -> {
          Account account = catalog.accounts().get(each.getKey());
          return account == null || !account.credential().equals(each.getValue().credential);
        });
  }
}
