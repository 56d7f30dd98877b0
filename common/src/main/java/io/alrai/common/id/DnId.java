package io.alrai.common.id;

/** The name of a DN, for example {@code dn-1}: 1 to 32 letters, digits and dashes. */
public record DnId(String name) implements Comparable<DnId> {
  /** Stands for no DN but for the connection that a session keeps for its temporary tables. */
  public static final DnId OF_SESSION = new DnId("temporary-tables-of-a-session");

  /**
   * Checks the name.
   *
   * @throws IllegalArgumentException when it is not of the form
   */
  public DnId {
    if (!Names.valid(name)) {
      throw new IllegalArgumentException("not a DN name: " + name);
    }
  }

  @Override
  public int compareTo(DnId other) {
    return name.compareTo(other.name);
  }

  @Override
  public String toString() {
    return name;
  }
}
