package io.alrai.common.id;

/**
 * The name of a process of the cluster, for example {@code cn-1}: 1 to 32 letters, digits, dashes.
 */
public record NodeId(String name) {
  /**
   * Checks the name.
   *
   * @throws IllegalArgumentException when it is not of the form
   */
  public NodeId {
    if (!Names.valid(name)) {
      throw new IllegalArgumentException("not a node name: " + name);
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
