"""What runs in processes of its own: everything that is heavy, and all that is measured."""
